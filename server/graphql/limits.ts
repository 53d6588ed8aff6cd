import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/** The lexer stops here, before anything is built from a long text. The introspection query has about 350. */
export const maxTokens = 1_000;

/** What one operation may ask for, fragments counted wherever they are spread. Our widest screen needs depth 3. */
const MOST = { depth: 8, rootFields: 10, aliases: 15, fields: 250, directives: 20 } as const;

const NOUNS: Record<keyof typeof MOST, string> = {
  depth: 'levels of fields',
  rootFields: 'fields at the top',
  aliases: 'aliases',
  fields: 'fields, fragments included',
  directives: 'directives',
};

type Cost = Record<keyof typeof MOST, number>;

/**
 * Refuses an operation that costs more than any client of ours needs, before a resolver runs. Introspection is exempt
 * from depth, because tools nest it deeply; graphql's own rule keeps it from going in circles.
 */
function limitCost(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(operation) {
      const cost = costOf(operation, context);
      for (const limit of Object.keys(MOST) as (keyof typeof MOST)[]) {
        if (cost[limit] > MOST[limit]) {
          const message = `This operation has more than ${MOST[limit]} ${NOUNS[limit]}. Ask for less, or in several requests.`;
          context.reportError(new GraphQLError(message, { nodes: [operation] }));
        }
      }
    },
  };
}

function costOf(operation: OperationDefinitionNode, context: ValidationContext): Cost {
  const cost: Cost = { depth: 0, rootFields: 0, aliases: 0, fields: 0, directives: operation.directives?.length ?? 0 };
  const spread = new Set<string>();

  const add = (set: SelectionSetNode, depth: number, introspection: boolean): void => {
    for (const node of set.selections) {
      // Fragments within fragments grow without bound: what is over a limit already need not be counted to its end.
      if (cost.fields > MOST.fields) return;
      cost.fields += 1;
      cost.directives += node.directives?.length ?? 0;
      if (node.kind === Kind.FIELD) {
        const inside = introspection || node.name.value.startsWith('__');
        if (depth === 1) cost.rootFields += 1;
        if (node.alias) cost.aliases += 1;
        if (!inside) cost.depth = Math.max(cost.depth, depth);
        if (node.selectionSet) add(node.selectionSet, depth + 1, inside);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        add(node.selectionSet, depth, introspection);
      } else {
        const name = node.name.value;
        const fragment = context.getFragment(name);
        // A circle is another rule's to report; here it only must not be walked.
        if (!fragment || spread.has(name)) continue;
        spread.add(name);
        add(fragment.selectionSet, depth, introspection);
        spread.delete(name);
      }
    }
  };
  add(operation.selectionSet, 1, false);
  return cost;
}

export const limits = [limitCost];
