import type { RouteName } from '@assay/contracts';
import type { Caller, Engine } from '@assay/engine';
import { fileResponse } from './file-response.ts';

interface FileRequest {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly request: Request;
}

/** Answers the routes of kind `file`. */
export async function contentResponse(name: RouteName, asked: FileRequest): Promise<Response> {
  return name === 'uploadContent' ? uploadResponse(asked) : artifactResponse(asked);
}

async function artifactResponse({ engine, params, request }: FileRequest): Promise<Response> {
  const questId = params['quest'] ?? '';
  const artifactId = params['artifact'] ?? '';
  const { sha256 } = await engine.getArtifact(questId, artifactId);
  return fileResponse(request, sha256, () => engine.artifactContent(questId, artifactId));
}

async function uploadResponse({ engine, caller, params, request }: FileRequest): Promise<Response> {
  const content = await engine.uploadContent(caller, params['upload'] ?? '');
  return fileResponse(request, content.sha256, () => Promise.resolve(content));
}
