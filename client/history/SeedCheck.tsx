import { useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { anonymous } from '../apollo.js';
import { commitmentOf, keptCommitment } from '../seedCommitment.js';
import { ChallengeSeedsDocument } from '../graphql/generated.js';
import { messages } from '../messages/challenge.js';

/**
 * For a game of the challenge: whether the seeds of its day are those that were fixed when this browser first saw the day.
 * Shows nothing for another game, and where the browser has kept nothing.
 */
export function SeedCheck({ day, seed }: { day: string; seed: string }) {
  const kept = keptCommitment(day);
  return kept && <Comparison day={day} seed={seed} kept={kept} />;
}

function Comparison({ day, seed, kept }: { day: string; seed: string; kept: string }) {
  const { data } = useQuery(ChallengeSeedsDocument, { variables: { day }, context: anonymous });
  const seeds = data?.challenge.seeds;
  const [fixed, setFixed] = useState<boolean>();
  useEffect(() => {
    if (!seeds?.includes(seed)) return;
    // Without a secure connection a browser has no hashes.
    void commitmentOf(seeds).then(
      (commitment) => setFixed(commitment === kept),
      () => undefined,
    );
  }, [seeds, seed, kept]);
  if (fixed === undefined) return null;
  return (
    <span data-seeds={fixed ? 'fixed' : 'changed'} role={fixed ? undefined : 'alert'}>
      {' '}
      {fixed ? messages.seedsFixed : messages.seedsChanged}
    </span>
  );
}
