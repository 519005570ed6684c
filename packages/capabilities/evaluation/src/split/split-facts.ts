export { splitFactsSchema, type SplitFacts } from '@assay/contracts';
