import '@fontsource/ibm-plex-sans/latin-400.css';
import '@fontsource/ibm-plex-sans/latin-500.css';
import '@fontsource/ibm-plex-sans/latin-600.css';
import '@fontsource/ibm-plex-mono/latin-400.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/ui.css';
import './styles/screens.css';
import './styles/evidence.css';
import './styles/print.css';
import './styles/data.css';
import './styles/log.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { TextProvider } from './i18n/texts.tsx';

createRoot(document.getElementById('root')!).render(
  <TextProvider>
    <App />
  </TextProvider>,
);
