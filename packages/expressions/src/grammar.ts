import {
  create,
  isConstantNode,
  isFunctionNode,
  isOperatorNode,
  isParenthesisNode,
  isRelationalNode,
  isSymbolNode,
  parseDependencies,
} from 'mathjs/number';

const library = {
  create,
  isConstantNode,
  isFunctionNode,
  isOperatorNode,
  isParenthesisNode,
  isRelationalNode,
  isSymbolNode,
  parseDependencies,
};

export type Grammar = typeof library;

/** What of the library of mathematics reads expressions; for browsers, into which nothing else of it goes. */
export const grammar = (): Grammar => library;
