package dev.tandem.hub.agent;

/** What all agents of one hub share. */
public record AgentRuntime(ProcessTrees trees, AgentTimings timings, String hubVersion) {}
