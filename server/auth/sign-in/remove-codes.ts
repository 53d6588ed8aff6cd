import { type EntityManager, IsNull } from 'typeorm';
import { SignInCode } from './sign-in-code.entity.js';

export async function removeCodes(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.getRepository(SignInCode).delete({ playerId });
}

/** The sign-ins and links in progress cannot end. */
export async function removeUnspentCodes(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.getRepository(SignInCode).delete({ playerId, spentAt: IsNull() });
}
