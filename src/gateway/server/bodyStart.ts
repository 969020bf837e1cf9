import type { IncomingMessage } from 'node:http';
import { modelName, SEARCHED_BYTES } from '../core/modelName.ts';
import { type BodyLimits, type BodyProblem, type RoomForBody, readBody, readRest } from '../http/requestBody.ts';
import { DISCOVERY_PREFIX } from './agentModels.ts';

/** The part of a body that was read, with facts about the whole body. */
export interface BodyStart {
  readonly body: Buffer;
  readonly length: number;
  readonly model: string;
}

/**
 * Reads only the beginning of a body that can be streamed, if that contains the model for the record, and otherwise the
 * whole body.
 * @param length of the whole body.
 */
export async function readBeginning(
  request: IncomingMessage,
  limits: BodyLimits,
  hasRoom: RoomForBody,
  length: number,
): Promise<BodyStart | Buffer | BodyProblem> {
  const body = await readBody(request, limits, hasRoom, SEARCHED_BYTES);
  if (typeof body === 'string') return body;
  const model = modelName(body);
  return model === undefined || model.startsWith(DISCOVERY_PREFIX)
    ? readRest(request, limits, hasRoom, body)
    : { body, length, model };
}
