import type { ComponentProps } from 'react';
import './Button.css';

type Look = 'main' | 'plain' | 'quiet' | 'danger';

/** `main` is the primary action; `quiet` shows its frame on hover; `danger` cannot be undone. */
export function Button({ look = 'plain', className = '', ...rest }: ComponentProps<'button'> & { look?: Look }) {
  return <button type="button" className={`button button-${look} ${className}`} {...rest} />;
}
