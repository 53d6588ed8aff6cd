import { useApolloClient } from '@apollo/client/react';
import { startTransition, useActionState, useId, useState, type SyntheticEvent } from 'react';
import { NAME_LENGTH } from '../../game/text.js';
import type { ModeratedRowFragment } from '../graphql/generated.js';
import { counted } from '../ui/counted.js';
import { hasCode } from '../data/refused.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { DAY, serverNow } from '../ui/time/clock.js';
import { within } from '../ui/within.js';
import { effectOf, requestOf, titleOf, toInput, type Draft } from './decisions.js';
import { sentenceOf } from './Loaded.js';
import { zoneAt } from './words.js';

const OLD = 'Please sign in again first. What you typed is kept.';

interface Failure {
  problem?: string;
  /** The sign-in is too old for a decision. */
  isOld?: boolean;
}

interface Props {
  draft: Draft;
  player: ModeratedRowFragment;
  game?: string;
  onClose: () => void;
  onDecided: (typed: Draft, answer: { said: string; changed: boolean }) => void;
  onSignInAgain: (typed: Draft) => Promise<void>;
}

/** Asks for the reason of a decision and sends it. What is typed stays until it is done. */
export function DecisionDialog({ draft, player, game, onClose, onDecided, onSignInAgain }: Props) {
  const client = useApolloClient();
  const form = useId();
  const { action } = draft;
  const title = titleOf(action, player);

  const [{ problem, isOld }, send, busy] = useActionState(async (last: Failure, typed: Draft): Promise<Failure> => {
    try {
      if (last.isOld) return await onSignInAgain(typed).then(() => last);
      const { data } = await client.mutate({ ...requestOf(typed), refetchQueries: ['PlayerReport', 'Audit'] });
      const { answer } = data!;
      if (answer.__typename === 'DecisionRefused') return { problem: answer.message };
      onDecided(typed, answer);
      return {};
    } catch (error) {
      const isOld = hasCode(error, 'RECENT_SIGN_IN_REQUIRED');
      return { problem: isOld ? OLD : sentenceOf(error), isOld: isOld || last.isOld };
    }
  }, {});
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = { ...draft, ...Object.fromEntries(new FormData(event.currentTarget)) };
    if (!busy) startTransition(() => send(typed));
  };

  return (
    <Dialog
      title={title}
      subtitle={[player.name, game].filter(Boolean).join(' · ')}
      onClose={onClose}
      closeLook="plain"
      closeText="Cancel"
      footer={
        <>
          <p role="alert">{problem}</p>
          <Button type="submit" form={form} look="main" aria-disabled={busy}>
            {isOld ? 'Sign in again' : title}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <p>{effectOf(action, player)}</p>
        <Fields {...draft} />
      </form>
    </Dialog>
  );
}

function Fields({ action, name, reason, until }: Draft) {
  return (
    <>
      {action === 'rename' && (
        <label>
          New name
          <input
            name="name"
            className="field"
            dir="auto"
            defaultValue={name}
            required
            onInput={within(NAME_LENGTH)}
            autoComplete="off"
          />
        </label>
      )}
      {action === 'ban' && <End until={until} />}
      <label>
        Reason, for the audit
        <textarea name="reason" className="field" dir="auto" defaultValue={reason} required maxLength={500} rows={3} />
      </label>
    </>
  );
}

/** The end of a ban, as a time and as buttons that fill it in. */
function End({ until: end }: Pick<Draft, 'until'>) {
  const [until, setUntil] = useState(end);
  return (
    <>
      <label>
        <span>{`End of the ban, ${zoneAt(until || serverNow())}`}</span>
        <input
          type="datetime-local"
          name="until"
          className="field"
          value={until}
          onChange={({ target }) => setUntil(target.value)}
        />
      </label>
      <div className="actions">
        <Button onClick={() => setUntil('')}>No end</Button>
        {[1, 7, 30].map((days) => (
          <Button key={days} onClick={() => setUntil(toInput(serverNow() + days * DAY))}>
            {counted(days, 'day')}
          </Button>
        ))}
      </div>
    </>
  );
}
