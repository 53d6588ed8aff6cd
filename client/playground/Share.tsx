import { useGraphiQL } from '@graphiql/react';
import { OperationTypeNode } from 'graphql';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/Button.js';
import { listen } from '../ui/listen.js';
import { copy } from '../ui/share.js';
import { storedInTab } from '../ui/stored.js';

/** A link that waits in its tab for the return of a sign-in, before which the tabs of GraphiQL are cleared. */
const LINK = 'tic-tac-toe.link';
/** Of the address with which the page opens. The session cleans every hash, so it is read before. */
let first = location.hash || (storedInTab.get(LINK) ?? '');
storedInTab.set(LINK, null);
let opened: string | null = null;

/** For the return of a sign-in. */
export const keepLink = () => void storedInTab.set(LINK, opened);

/** A token belongs in the headers, which no link has. A token that was typed elsewhere by mistake is cut. */
const TOKENS = /\b(ttt_|eyJ)[\w.-]+/g;

/** The server refuses a longer body. */
const isTooLong = (query: string, variables: string) => new Blob([query, variables]).size > 16_384;
const TOO_LONG = 'The query of this link is too long.';

/** Copies a link to the query. The query of an opened link gets a tab of its own, and waits for a press. */
export function Share() {
  const { actions, activeTabIndex, operationName, operations, queryEditor, variableEditor } = useGraphiQL(
    (state) => state,
  );
  const [said, say] = useState('');
  const wanted = useRef<string>(null);

  useEffect(() => {
    document.querySelector('.graphiql-tab-active')?.scrollIntoView({ block: 'nearest' });
  }, [activeTabIndex, operationName]);

  // GraphiQL chooses an operation a moment after the text has changed, and a key runs it. A link chooses no mutation.
  useEffect(() => {
    if (wanted.current === null || !operations) return;
    const harmless = operations.filter(({ operation }) => operation !== OperationTypeNode.MUTATION);
    const chosen = harmless.find(({ name }) => name?.value === wanted.current) ?? harmless[0];
    if (chosen?.name) actions.setOperationName(chosen.name.value);
    wanted.current = null;
  }, [actions, operations]);

  useEffect(() => {
    if (!queryEditor || !variableEditor) return;
    const open = (hash: string) => {
      const given = new URLSearchParams(hash.slice(1));
      const [query, variables] = [given.get('query'), given.get('variables') ?? ''];
      if (query === null) return;
      if (isTooLong(query, variables)) return say(TOO_LONG);
      say('');
      opened = hash;
      wanted.current = given.get('operationName') ?? '';
      actions.addTab();
      queryEditor.setValue(query);
      variableEditor.setValue(variables);
      // At the first link the variables have no listener of GraphiQL yet.
      actions.updateActiveTabValues({ variables });
    };
    open(first);
    first = '';
    return listen(window, 'hashchange', ({ newURL }) => open(new URL(newURL).hash));
  }, [actions, queryEditor, variableEditor]);

  const share = async () => {
    const textOf = (editor: typeof queryEditor) => editor?.getValue().replaceAll(TOKENS, '$1...') ?? '';
    const [query, variables] = [textOf(queryEditor), textOf(variableEditor)];
    if (isTooLong(query, variables)) return say(TOO_LONG);
    const link = new URLSearchParams({ query, variables, operationName: operationName ?? '' });
    const outcome = await copy(`${location.origin}/playground/#${link}`);
    say(outcome === 'copied' ? 'Copied.' : 'The link could not be copied.');
  };
  return (
    <>
      <Button onClick={() => void share()} onBlur={() => say('')}>
        Copy link
      </Button>
      <span role="status">{said}</span>
    </>
  );
}
