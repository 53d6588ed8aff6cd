/** Work that runs once at a time: callers of the same moment share one run. */
export class SingleFlight<Value> {
  /** The run under way. */
  running: Promise<Value> | undefined;

  constructor(private readonly work: () => Promise<Value>) {}

  run(): Promise<Value> {
    this.running ??= this.work().finally(() => (this.running = undefined));
    return this.running;
  }
}
