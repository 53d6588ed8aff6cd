import { Field, InterfaceType } from '@nestjs/graphql';

@InterfaceType('Refusal', { description: 'The server refuses something. The type and its `reason` are for programs.' })
export abstract class Refusal {
  @Field({ description: 'The reason, for people.' })
  message!: string;
}
