import type { FastifyRequest } from 'fastify';
import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import type { Admission } from '../limits/admission.js';
import { turnOf } from '../limits/field.js';

/** Every field that uses the database takes a turn for it. Subscriptions read from memory. */
export function takeTurns(schema: GraphQLSchema, admission: Admission): void {
  const roots: readonly unknown[] = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      if (turnOf(field) ?? roots.includes(type)) takeTurn(field, admission);
    }
  }
}

function takeTurn(field: GraphQLField<unknown, { req: FastifyRequest }>, admission: Admission): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) =>
    admission.read(context.req.context.address, () => resolve(source, args, context, info));
}
