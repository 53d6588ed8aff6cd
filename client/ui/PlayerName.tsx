export function PlayerName({ of }: { of: string }) {
  return (
    <bdi className="clipped" translate="no">
      {of}
    </bdi>
  );
}
