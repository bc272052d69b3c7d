/** The one error type of annotations, with the codes of its own wire. */
export class AnnotationFailure extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @param {unknown} error @returns {{ code: string, message: string }} */
export function wireError(error) {
  if (error instanceof AnnotationFailure) return { code: error.code, message: error.message };
  return { code: 'unknown', message: error instanceof Error ? error.message : String(error) };
}
