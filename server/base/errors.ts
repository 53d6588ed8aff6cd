/** What an operator can mend: a start or a command ends with this sentence alone. All other errors show a stack trace. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** PostgreSQL or a provider does not answer, or has no room. The same request may succeed later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
