import type { ComponentProps } from 'react';
import './Button.css';

type Look = 'main' | 'plain' | 'quiet' | 'danger';

/** `main` is the one thing to do here; `quiet` has no frame until it is pointed at; `danger` cannot be undone. */
export function Button({ look = 'plain', className = '', ...rest }: ComponentProps<'button'> & { look?: Look }) {
  return <button type="button" className={`button button-${look} ${className}`} {...rest} />;
}
