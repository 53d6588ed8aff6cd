import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { Button } from '../ui/Button.js';
import { listen } from '../ui/listen.js';
import { copy } from '../ui/share.js';

/** Of the address with which the page opens. The session cleans every hash, so it is read before. */
let first = location.hash;

/** A token belongs into the headers, which no link has, but may stand elsewhere by mistake. */
const TOKENS = /\b(ttt_|eyJ)[\w.-]+/g;

/** Copies a link with the query, and opens that of a link in a tab of its own, where it waits for a press. */
export function Share() {
  const { actions, operationName, queryEditor, variableEditor } = useGraphiQL((state) => state);
  const [said, say] = useState('');

  useEffect(() => {
    if (!queryEditor || !variableEditor) return;
    const open = (hash: string) => {
      const given = new URLSearchParams(hash.slice(1));
      if (!given.has('query')) return;
      actions.addTab();
      queryEditor.setValue(given.get('query') ?? '');
      variableEditor.setValue(given.get('variables') ?? '');
      actions.setOperationName(given.get('operationName') ?? '');
    };
    open(first);
    first = '';
    return listen(window, 'hashchange', ({ newURL }) => open(new URL(newURL).hash));
  }, [actions, queryEditor, variableEditor]);

  const share = async () => {
    const textOf = (editor: typeof queryEditor) => editor?.getValue().replaceAll(TOKENS, '$1...') ?? '';
    const [query, variables] = [textOf(queryEditor), textOf(variableEditor)];
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
