/** Rows of one page: about a hundred kilobytes of games. */
const PAGE = 200;

/**
 * Reads a long list page by page, so that it is never in memory as a whole.
 * @param find returns at most `take` rows after the first `skip`
 */
export async function* inPages<Row extends object>(
  find: (page: { take: number; skip: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let skip = 0; ; skip += PAGE) {
    const page = await find({ take: PAGE, skip });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
  }
}
