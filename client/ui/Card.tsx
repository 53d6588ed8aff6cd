import { useId } from 'react';
import type { ReactNode } from 'react';
import './Card.css';

interface Props {
  title: string;
  /** Stands small beside the title. */
  note?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A surface with a heading that names it for assistive technology. */
export function Card({ title, note, className = '', children }: Props) {
  const heading = useId();
  return (
    <section className={`card ${className}`} aria-labelledby={heading}>
      <div className="card-header">
        <h2 id={heading}>{title}</h2>
        {note && <p>{note}</p>}
      </div>
      {children}
    </section>
  );
}
