import { Field, ID, InterfaceType } from '@nestjs/graphql';

@InterfaceType('Node', { description: 'Something that `node` finds again by its id.' })
export abstract class Node {
  @Field(() => ID, { description: 'Never changes. No other node has it.' })
  id!: string;
}
