/** Returns a token for a request; called again with a token that the server refused, returns a newer one. */
export type GetToken<Token extends string | null = string | null> = (refused?: string) => Promise<Token>;

/** Sends a request with a token. When the server refuses the token, sends it once more with a new one. */
export async function sendWithToken<Token extends string | null, Answer>(
  getToken: GetToken<Token>,
  send: (token: Token) => Promise<Answer>,
  isRefused: (answer: Answer) => boolean,
): Promise<Answer> {
  const token = await getToken();
  const answer = await send(token);
  if (token === null || !isRefused(answer)) return answer;
  const renewed = await getToken(token);
  return renewed === null ? answer : send(renewed);
}
