/** The one error type of annotations, with the codes of its own wire. */
export class AnnotationFailure extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {boolean} [byUser] the person said no, so that they are not asked the same again at once
   */
  constructor(code, message, byUser = false) {
    super(message);
    this.code = code;
    this.byUser = byUser;
  }
}

/** @param {unknown} error @returns {{ code: string, message: string, byUser?: boolean }} */
export function wireError(error) {
  if (error instanceof AnnotationFailure) {
    return { code: error.code, message: error.message, ...(error.byUser && { byUser: true }) };
  }
  return { code: 'unknown', message: error instanceof Error ? error.message : String(error) };
}
