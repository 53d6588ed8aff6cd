/** Tells screen readers, politely and once, what sighted players see happen. */
export function Announcer({ text }: { text: string }) {
  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true" data-announcer="">
      {text}
    </div>
  );
}
