/** An operation that cannot be done. The message says what the operator can do. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
