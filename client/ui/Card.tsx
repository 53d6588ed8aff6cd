import { useId, type ReactNode } from 'react';
import './Card.css';

interface Props {
  title: string;
  note?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A section that its heading labels for assistive technology. */
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
