import { Link } from 'wouter';
import { useTexts } from '../i18n/texts.tsx';

export function NotFound() {
  const { text } = useTexts();
  return (
    <div className="empty">
      <h1>{text('notFoundTitle')}</h1>
      <Link href="/">{text('backHome')}</Link>
    </div>
  );
}
