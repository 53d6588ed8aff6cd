/** Isolates a right-to-left name from the rest of the line. */
export function PlayerName({ of }: { of: string }) {
  return (
    <bdi className="clipped" translate="no">
      {of}
    </bdi>
  );
}
