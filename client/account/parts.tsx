import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import { TimeAgo } from '../ui/time/TimeAgo.js';
import './account.css';

interface SectionProps {
  title: string;
  className?: string;
  /** Can take the focus of a button that disappears. */
  heading?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

export function Section({ title, className, heading, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={className}>
      <h3 id={id} ref={heading} tabIndex={heading && -1}>
        {title}
      </h3>
      {children}
    </section>
  );
}

interface RowProps {
  icon: ReactNode;
  name: string;
  facts: readonly ReactNode[];
  factsId?: string;
  /** What can be done, or a word about it. */
  children: ReactNode;
}

/** A line of a list: a browser, a sign-in method or a token. */
export function Row({ icon, name, facts, factsId, children }: RowProps) {
  return (
    <li className="account-row tile">
      {icon}
      <div className="account-row-text">
        <b dir="auto" translate="no">
          {name}
        </b>
        <p id={factsId} className="soft">
          {facts.filter(Boolean).flatMap((fact, at) => [<span key={at}>{fact}</span>, ' '])}
        </p>
      </div>
      {children}
    </li>
  );
}

export function Since({ text, at }: { text: string; at: string }) {
  return (
    <span>
      {text} <TimeAgo at={at} />
    </span>
  );
}

interface QuestionProps {
  title: string;
  danger?: true;
  children: ReactNode;
}

/** Asks or tells something in a box, which takes the focus when it appears. */
export function Question({ title, danger, children }: QuestionProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} className="account-question" data-danger={danger} role="group" tabIndex={-1} aria-labelledby={id}>
      <b id={id}>{title}</b>
      {children}
    </div>
  );
}

/** A ref for what takes the focus after a question, which disappears together with its buttons. */
export function useFocusAfter<E extends HTMLElement>(asking: boolean) {
  const next = useRef<E>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current && !asking) next.current?.focus();
    asked.current = asking;
  }, [asking]);
  return next;
}
