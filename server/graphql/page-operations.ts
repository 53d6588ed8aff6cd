import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { BUILT_CLIENT } from '../settings/folders.js';

/** The build lists the operations of our own pages, in the text that they send (scripts/build/page-operations.js). */
export function listedOperations(): ReadonlySet<string> {
  const list = join(BUILT_CLIENT, '.vite/operations.json');
  // In development, Vite serves the page, and there may be no build.
  return new Set(existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as string[]) : []);
}

/**
 * Executes operations. Those of our own pages are compiled when they first come: graphql-js would look at each field of a document
 * again for each request. Nobody else's document is compiled, because that takes some milliseconds and its code stays in memory.
 */
export class PageOperations {
  private readonly compiled = new Map<string, CompiledQuery | undefined>();

  /** @param ours the texts that may be compiled */
  constructor(private readonly ours: ReadonlySet<string>) {}

  /**
   * @param source the text of the document
   * @returns a result without `data` when the variables are wrong
   */
  async execute(source: string, operation: ExecutionArgs): Promise<ExecutionResult> {
    const compiled = this.ours.has(source) ? this.compiledOf(source, operation) : undefined;
    if (!compiled) return execute(operation);
    return compiled.query(undefined, operation.contextValue, operation.variableValues);
  }

  private compiledOf(source: string, { schema, document }: ExecutionArgs): CompiledQuery | undefined {
    if (!this.compiled.has(source)) {
      // A document of our pages has one operation.
      const made = compileQuery(schema, document);
      this.compiled.set(source, isCompiledQuery(made) ? made : undefined);
    }
    return this.compiled.get(source);
  }
}
