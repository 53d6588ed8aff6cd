import type { Type } from '@nestjs/common';
import { Field, ObjectType } from '@nestjs/graphql';

@ObjectType('PageInfo', { description: 'Where a page stands in its list.' })
export class PageInfo {
  @Field({ description: 'Whether entries follow: the next page is the one `after` the `endCursor`.' })
  hasNextPage!: boolean;

  @Field({ description: 'Whether entries come before: the page was asked for with `after`.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'The cursor of the first entry. Null on an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'The cursor of the last entry. Null on an empty page.' })
  endCursor!: string | null;
}

/** A page by the Relay specification. */
export function connectionOf<Edge extends { readonly cursor: string }>(
  edges: Edge[],
  more: Pick<PageInfo, 'hasNextPage' | 'hasPreviousPage'>,
): { edges: Edge[]; pageInfo: PageInfo } {
  const [startCursor, endCursor] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
  return { edges, pageInfo: { ...more, startCursor, endCursor } };
}

export function connectionType<Node extends object>(
  name: string,
  node: Type<Node>,
  { page, edges }: { page: string; edges: string },
) {
  @ObjectType(`${name}Edge`, { description: 'One entry of a list, with its place there.' })
  class Edge {
    @Field({
      description: 'What `after` wants, for the entries after this one. It stays valid when the entry is gone.',
    })
    cursor!: string;

    @Field(() => node, { description: 'The entry.' })
    node!: Node;
  }

  @ObjectType(`${name}Connection`, { description: `${page}, by the Relay specification.` })
  class Connection {
    @Field(() => [Edge], { description: edges })
    edges!: Edge[];

    @Field(() => PageInfo, { description: 'Where the page stands in the list.' })
    pageInfo!: PageInfo;
  }
  return Connection;
}
