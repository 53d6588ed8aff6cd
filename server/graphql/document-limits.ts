import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  GraphQLError,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationContext,
  visit,
} from 'graphql';

/** The lexer stops here, before it builds anything from a long source. The introspection query has about 350 tokens. */
export const maxTokens = 1_000;

/** graphql stops validating after this many errors, because each one costs time. */
export const maxErrors = 5;

/**
 * The limits of one document. The first four count the source once. The others count all operations, with each fragment
 * wherever it is spread. Our deepest operation has 6 levels of fields.
 */
const LIMITS = {
  definitions: { most: 20, noun: 'operations and fragments' },
  variables: { most: 20, noun: 'variables' },
  values: { most: 100, noun: 'arguments and values' },
  directives: { most: 20, noun: 'directives' },
  nesting: { most: 20, noun: 'levels of braces' },
  fragments: { most: 60, noun: 'fragments, counted at each definition and each spread' },
  depth: { most: 8, noun: 'levels of fields' },
  rootFields: { most: 10, noun: 'root fields' },
  aliases: { most: 15, noun: 'aliases' },
  fields: { most: 250, noun: 'fields, fragments included' },
  repeats: { most: 30, noun: 'repeated fields' },
};

type Limit = keyof typeof LIMITS;
type Counts = Record<Limit, number>;

const NAMES = Object.keys(LIMITS) as Limit[];
const noCounts = () => Object.fromEntries(NAMES.map((limit) => [limit, 0])) as Counts;

/**
 * Returns an error for a document that is too costly. This check must run before graphql's validation, whose time grows with
 * the square of some of these counts. Introspection has no depth limit, because the queries of tools nest deeply; graphql's
 * own rule rejects cycles.
 */
export function overLimit(document: DocumentNode): GraphQLError | undefined {
  const exceeded = exceededLimit(countSource(document));
  if (exceeded) return exceeded;
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const counter = new SelectionCounter(new Map(fragments.map((fragment) => [fragment.name.value, fragment])));
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) counter.countOperation(definition);
  }
  const over = exceededLimit(counter.counts);
  if (over) return over;
  // graphql's own rule throws for a variable there, which is then an error of the server.
  if (counter.hasConditionalSubscription)
    return new GraphQLError('The root field of a subscription takes no directive.');
  // Unused fragments are not counted, but graphql would still compare their fields.
  const unused = fragments.find(({ name }) => !counter.usedFragments.has(name.value));
  return unused && new GraphQLError(`Fragment "${unused.name.value}" is never used.`);
}

/**
 * `overLimit` as a rule of validation. graphql ends the validation after `maxErrors` errors, so this rule repeats its error, and
 * no other rule visits a selection of a document over the limit.
 */
export function withinLimits(context: ValidationContext): ASTVisitor {
  return {
    Document(document) {
      const error = overLimit(document);
      for (let told = 0; error && told <= maxErrors; told++) context.reportError(error);
    },
  };
}

function exceededLimit(counts: Counts): GraphQLError | undefined {
  const exceeded = NAMES.find((limit) => counts[limit] > LIMITS[limit].most);
  if (!exceeded) return undefined;
  const { most, noun } = LIMITS[exceeded];
  return new GraphQLError(`This document has more than ${most} ${noun}. Request less, or send several requests.`);
}

function countSource(document: DocumentNode): Counts {
  const counts = { ...noCounts(), definitions: document.definitions.length };
  const value = () => void (counts.values += 1);
  visit(document, {
    VariableDefinition: () => void (counts.variables += 1),
    Directive: () => void (counts.directives += 1),
    Argument: value,
    ListValue: value,
    ObjectField: value,
    IntValue: value,
    StringValue: value,
    EnumValue: value,
  });
  return counts;
}

/** The place of a selection set in an operation. */
interface Position {
  /** The response names from the root, which tell whether two fields have the same place in the response. */
  readonly path: string;
  readonly nesting: number;
  readonly depth: number;
  readonly introspection: boolean;
}

/** Counts the selections of operations, with each fragment wherever it is spread. */
class SelectionCounter {
  readonly counts = noCounts();
  readonly usedFragments = new Set<string>();
  hasConditionalSubscription = false;
  private readonly openFragments = new Set<string>();
  private paths = new Set<string>();
  private rootFields = 0;
  private rootDirectives = 0;

  constructor(private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>) {}

  countOperation({ operation, selectionSet }: OperationDefinitionNode): void {
    this.paths = new Set();
    this.rootFields = 0;
    this.rootDirectives = 0;
    this.countSelections(selectionSet, { path: '', nesting: 1, depth: 1, introspection: false });
    this.counts.rootFields = Math.max(this.counts.rootFields, this.rootFields);
    this.hasConditionalSubscription ||= operation === OperationTypeNode.SUBSCRIPTION && this.rootDirectives > 0;
  }

  private countSelections({ selections }: SelectionSetNode, at: Position): void {
    const { counts } = this;
    counts.nesting = Math.max(counts.nesting, at.nesting);
    for (const node of selections) {
      // Fragments within fragments can grow exponentially, so stop at the first exceeded limit.
      if (counts.fields > LIMITS.fields.most || counts.nesting > LIMITS.nesting.most) return;
      counts.fields += 1;
      counts.directives += node.directives?.length ?? 0;
      if (at.depth === 1) this.rootDirectives += node.directives?.length ?? 0;
      if (node.kind === Kind.FIELD) this.countField(node, at);
      else this.countFragment(node, at);
    }
  }

  private countField({ name, alias, selectionSet }: FieldNode, at: Position): void {
    const { counts } = this;
    const introspection = at.introspection || name.value.startsWith('__');
    const path = `${at.path} ${alias?.value ?? name.value}`;
    if (at.depth === 1) this.rootFields += 1;
    if (alias) counts.aliases += 1;
    if (!introspection) counts.depth = Math.max(counts.depth, at.depth);
    // graphql compares every two fields with the same place in the response.
    if (this.paths.has(path)) counts.repeats += 1;
    this.paths.add(path);
    if (selectionSet) {
      this.countSelections(selectionSet, { path, nesting: at.nesting + 1, depth: at.depth + 1, introspection });
    }
  }

  private countFragment(node: FragmentSpreadNode | InlineFragmentNode, at: Position): void {
    this.counts.fragments += 1;
    const inside = { ...at, nesting: at.nesting + 1 };
    if (node.kind === Kind.INLINE_FRAGMENT) return this.countSelections(node.selectionSet, inside);
    const name = node.name.value;
    const fragment = this.fragments.get(name);
    // graphql's own rules report unknown fragments and cycles.
    if (!fragment || this.openFragments.has(name)) return;
    this.usedFragments.add(name);
    this.openFragments.add(name);
    this.countSelections(fragment.selectionSet, inside);
    this.openFragments.delete(name);
  }
}
