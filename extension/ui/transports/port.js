/**
 * The one thing the chat knows of what lies behind it. An adapter turns it into `/ws`, REST or messages to the worker.
 *
 * @typedef {'connecting' | 'open' | 'lost' | 'unauthorized' | 'closed'} PortState
 * @typedef {{ state: PortState, since: number, reason?: string, nextAttemptAt?: number }} PortStatus
 *
 * @typedef {object} AgentInfo
 * @property {string} agentId
 * @property {string} name
 * @property {boolean} available
 * @property {boolean} [builtIn]
 * @property {string} [reason] why it is not available
 * @property {{ id: string, name?: string, description?: string, type?: string }[]} [authMethods] ways to sign in, once it was greeted
 * @property {boolean} [remembers] whether conversations it had elsewhere can go on here, once it was greeted
 * @property {boolean} [signsOut] whether one can sign out of it, once it was greeted
 *
 * @typedef {object} SessionRow a session as lists show it
 * @property {string} sessionId
 * @property {string} title
 * @property {string} projectId
 * @property {string} phase empty for one that was never started
 * @property {string} status working, idle, waiting_input, completed, failed, stopped
 * @property {number} unread
 * @property {string} preview
 * @property {number} queued
 * @property {number} lastSeq
 * @property {number} updatedAt
 * @property {string} [agentId]
 * @property {string} [cwd]
 * @property {string} [model]
 * @property {string[]} labels
 * @property {string} [question] what it waits for
 * @property {boolean} [locked] its agent works only after a sign-in
 *
 * @typedef {object} EarlierSession a conversation that an agent remembers
 * @property {string} sessionId the hub's where it is a session already
 * @property {string} agentSessionId
 * @property {string} agentId
 * @property {boolean} imported it is no session of the hub yet
 * @property {string} [title]
 * @property {string} [cwd]
 * @property {boolean} [registered] whether sessions may work in that folder
 * @property {number} [updatedAt]
 *
 * @typedef {Record<string, any>} Frame what happened in a session, in order; `type` says what
 *
 * @typedef {object} NewSession
 * @property {string} [agentId]
 * @property {string} [projectId]
 * @property {string} [cwd]
 * @property {string} [title]
 * @property {boolean} [start]
 *
 * @typedef {object} Outgoing
 * @property {object[]} content ACP content blocks
 * @property {string} clientMessageId the sender's own, so that sending twice stores once
 *
 * @typedef {{ sessionId: string, close: () => void, refresh: () => void, older: (beforeSeq?: number, limit?: number) => Promise<Frame[]> }} Following
 *
 * @typedef {{ kind: 'status' } | { kind: 'session', sessionId: string, change: string, row?: Partial<SessionRow> } | { kind: 'row', row: SessionRow }} News
 *
 * @typedef {object} ChatPort
 * @property {PortStatus} status
 * @property {AgentInfo[]} agents
 * @property {(listener: (news: News) => void) => () => void} watch
 * @property {() => void} retry tries again now, after whatever ended the connection
 * @property {() => void} close
 * @property {(query?: { search?: string, sessionIds?: string[] }) => Promise<SessionRow[]>} sessions
 * @property {() => Promise<AgentInfo[]>} listAgents
 * @property {(agentId: string, methodId: string) => Promise<{ terminal?: { command: string[], env: Record<string, string> } }>} signIn with `terminal`, the person runs that themselves
 * @property {(agentId: string) => Promise<void>} signOut
 * @property {() => Promise<{ projectId: string, name: string, folders: string[] }[]>} projects
 * @property {(wish: NewSession) => Promise<{ sessionId: string }>} create
 * @property {(agentId: string, cursor?: string) => Promise<{ sessions: EarlierSession[], nextCursor?: string }>} earlier
 * @property {(wish: { agentId: string, agentSessionId: string, projectId: string, title: string, cwd?: string }) => Promise<{ sessionId: string }>} goOn with an earlier one
 * @property {(sessionId: string) => Promise<void>} start
 * @property {(sessionId: string) => Promise<void>} stop
 * @property {(sessionId: string) => Promise<void>} remove
 * @property {(sessionId: string, title: string) => Promise<void>} rename
 * @property {(sessionId: string, labels: string[]) => Promise<void>} label
 * @property {(sessionId: string) => Promise<{ sessionId: string }>} copy
 * @property {(sessionId: string) => Promise<string>} exported the session and its log as JSON text
 * @property {(sessionId: string, seq: number) => void} markRead
 * @property {(sessionId: string, listener: (frame: Frame) => void) => Following} follow
 * @property {(sessionId: string, message: Outgoing) => Promise<void>} send settles when the message is stored
 * @property {(sessionId: string) => Promise<void>} interrupt
 * @property {(sessionId: string) => Promise<{ seq: number, text: string }[]>} queue
 * @property {(sessionId: string, seq: number, text: string) => Promise<void>} editQueued
 * @property {(sessionId: string, seq: number) => Promise<void>} withdrawQueued
 * @property {(sessionId: string) => Promise<void>} continueQueue
 * @property {(sessionId: string, modelId: string) => Promise<Frame>} setModel
 * @property {(sessionId: string, modeId: string) => Promise<Frame>} setMode
 * @property {(sessionId: string, configId: string, value: string | boolean) => Promise<Frame>} setOption
 * @property {(sessionId: string, mode: 'read-only' | 'ask' | 'act') => Promise<void>} setPermissionMode
 * @property {(sessionId: string, terminalId: string) => Promise<{ output?: string }>} terminalOutput of a command that runs now
 * @property {(sessionId: string, requestId: string, optionId: string) => Promise<void>} answerPermission
 * @property {(sessionId: string, answer: { requestId: string, action: 'accept' | 'decline' | 'cancel', content?: object }) => Promise<void>} answerQuestion
 */

/** A request that did not come to its end: `code` is the hub's, or `offline`, `timeout`. */
export class PortError extends Error {
  /** @param {string} code @param {string} message @param {any} [details] */
  constructor(code, message, details) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
