import { useId } from 'react';
import type { ReactNode } from 'react';
import './Card.css';

/** A surface with a heading that names it for assistive technology. */
export function Card({ title, className = '', children }: { title: string; className?: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={`card ${className}`} aria-labelledby={heading}>
      <h2 id={heading} className="card-title">
        {title}
      </h2>
      {children}
    </section>
  );
}
