import type { Task } from '@assay/contracts';
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { en, type TextKey, type Texts } from './en.ts';
import { zhCN } from './zh-cn.ts';

export type Language = 'en' | 'zh-CN';

const languages: Readonly<Record<Language, Texts>> = { en, 'zh-CN': zhCN };
const STORED = 'assay.language';

export interface TextSource {
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
  /** The sentence of a key with its `{names}` filled in. */
  readonly text: (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;
  /** What a task is called: by its type where the page knows it, else as the plan says. */
  readonly taskName: (task: Pick<Task, 'type' | 'name'>) => string;
}

const Context = createContext<TextSource | undefined>(undefined);

export function TextProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(preferred);
  useEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem(STORED, language);
  }, [language]);
  const source = useMemo(
    () => ({
      language,
      setLanguage,
      taskName: ({ type, name }: Pick<Task, 'type' | 'name'>) =>
        `task_${type}` in en ? languages[language][`task_${type}` as TextKey] : name,
      text: (key: TextKey, values: Readonly<Record<string, string | number>> = {}) =>
        languages[language][key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')),
    }),
    [language],
  );
  return <Context value={source}>{children}</Context>;
}

export function useTexts(): TextSource {
  const source = use(Context);
  if (source === undefined) throw new Error('useTexts needs a TextProvider above it');
  return source;
}

function preferred(): Language {
  const stored = localStorage.getItem(STORED);
  if (stored === 'en' || stored === 'zh-CN') return stored;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
}
