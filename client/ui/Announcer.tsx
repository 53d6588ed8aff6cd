/** A polite live region, which screen readers read aloud when its text changes. */
export function Announcer({ text }: { text: string }) {
  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true" data-announcer="">
      {text}
    </div>
  );
}
