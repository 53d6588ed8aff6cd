import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/Button.js';
import { formatNumber } from '../ui/formatNumber.js';
import type { GetToken } from '../graphql/sendWithToken.js';
import { CodeButton } from './CodeButton.js';
import { copy } from './copy.js';
import type { Measured } from './fetcher.js';
import { playToTheEnd } from './finishedGame.js';
import type { Ticket } from './finishedGame.js';
import { messages } from './messages.js';

/** The part that a narrow screen shows. Wide screens show both. */
export type View = 'operation' | 'result';

interface Props {
  readonly signedIn: boolean;
  readonly getToken: GetToken;
  /** The ticket of the last StartGame. */
  readonly lastTicket: () => Ticket | null;
  /** The last request. */
  readonly measured: Measured | null;
  readonly view: View;
  readonly onView: (view: View) => void;
}

/** The bar below GraphiQL with further actions for the operation in the editor. */
export function Actions({ signedIn, getToken, lastTicket, measured, view, onView }: Props) {
  const [feedback, setFeedback] = useState('');
  const actions = useGraphiQLActions();
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const query = useGraphiQL((state) => state.tabs[state.activeTabIndex]?.query ?? '');
  const activeTab = useGraphiQL((state) => state.activeTabIndex);
  const runs = useGraphiQL((state) => state.queryId);
  const subscribed = useGraphiQL((state) => state.subscription !== null);

  const openTab = useRef(activeTab);
  useEffect(() => {
    openTab.current = activeTab;
    onView('operation');
  }, [activeTab, onView]);
  useEffect(() => {
    if (runs > 0) onView('result');
  }, [runs, onView]);

  // A page in the browser's back/forward cache must not keep its socket.
  useEffect(() => {
    const stop = () => actions.stop();
    window.addEventListener('pagehide', stop);
    return () => window.removeEventListener('pagehide', stop);
  }, [actions]);

  const fillIn = async () => {
    const ticket = lastTicket();
    if (!ticket) return setFeedback(messages.noTicket);
    const { squares, result, duration } = playToTheEnd(ticket);
    const left = ticket.receivedAt + duration - performance.now();
    if (left > 0) {
      setFeedback(messages.playing);
      await new Promise((resolve) => setTimeout(resolve, left));
      if (openTab.current !== activeTab) return setFeedback('');
    }
    variableEditor?.setValue(JSON.stringify({ ticket: ticket.token, squares }, null, 2));
    setFeedback(messages.filledIn(result));
  };

  return (
    <section className="playground-actions" aria-label={messages.actions}>
      <div className="playground-views" role="group" aria-label={messages.views}>
        {(['operation', 'result'] as const).map((name) => (
          <Button key={name} look="quiet" aria-pressed={view === name} onClick={() => onView(name)}>
            {messages[name]}
          </Button>
        ))}
      </div>
      {subscribed && <Button onClick={() => actions.stop()}>{messages.stop}</Button>}
      {query.includes('finishGame') && <Button onClick={() => void fillIn()}>{messages.fillIn}</Button>}
      {signedIn && <Button onClick={() => void copyToken(getToken).then(setFeedback)}>{messages.copyToken}</Button>}
      <CodeButton signedIn={signedIn} getToken={getToken} say={setFeedback} />
      <p role="status">{feedback}</p>
      <p role="status" className="playground-measured">
        {measured && describeMeasured(measured)}
      </p>
    </section>
  );
}

function copyToken(getToken: GetToken): Promise<string> {
  return copy(async () => {
    const token = await getToken();
    return token === null ? null : { text: token, said: messages.tokenCopied };
  });
}

function describeMeasured({ status, milliseconds, cost }: Measured): string {
  const measured = messages.measured(status, formatNumber(Math.round(milliseconds)));
  return cost ? measured + messages.cost(formatNumber(cost.requested), formatNumber(cost.left)) : measured;
}
