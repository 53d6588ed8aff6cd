/** Rows of one page: about a hundred kilobytes of games. */
const PAGE = 200;

/**
 * Reads a long list page by page, so that it is never in memory as a whole.
 * @param find returns the next rows, at most `take`
 */
export async function* inPages<Row extends object>(find: (take: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (;;) {
    const page = await find(PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
  }
}
