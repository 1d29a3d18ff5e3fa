package dev.mooring.informer;

import dev.mooring.informer.PersistentMap.Collision;
import dev.mooring.informer.PersistentMap.Node;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

final class TrieDifference {
  private TrieDifference() {}

  /** Compares two sides, each a node, a collision (also used for a single pair) or null. */
  static <K, V> void compare(
      @Nullable Object older, @Nullable Object newer, PersistentMap.Difference<K, V> difference) {
    if (older == newer) {
      return;
    }
    if (older instanceof Node olderNode && newer instanceof Node newerNode) {
      for (int bits =
              olderNode.entryBits()
                  | olderNode.nodeBits()
                  | newerNode.entryBits()
                  | newerNode.nodeBits();
          bits != 0;
          bits &= bits - 1) {
        int bit = Integer.lowestOneBit(bits);
        compare(childOf(olderNode, bit), childOf(newerNode, bit), difference);
      }
    } else if (newer instanceof Node) {
      TrieDifference.<K, V>comparePairs(
          newer, pairs(older), (key, now, old) -> difference.accept(key, old, now));
    } else {
      comparePairs(older, pairs(newer), difference);
    }
  }

  private static @Nullable Object childOf(Node node, int bit) {
    if ((node.nodeBits() & bit) != 0) {
      return node.slots()[PersistentMap.nodeIndex(node, bit)];
    }
    if ((node.entryBits() & bit) == 0) {
      return null;
    }
    int index = 2 * Integer.bitCount(node.entryBits() & (bit - 1));
    return new Collision(new Object[] {node.slots()[index], node.slots()[index + 1]});
  }

  private static Object[] pairs(@Nullable Object child) {
    return child instanceof Collision collision ? collision.pairs() : new Object[0];
  }

  @SuppressWarnings("unchecked") // keys and values are always of types K and V
  private static <K, V> void comparePairs(
      @Nullable Object child, Object[] otherPairs, PersistentMap.Difference<K, V> difference) {
    boolean[] matched = new boolean[otherPairs.length];
    BiConsumer<K, V> visitor =
        (key, value) -> {
          int index = PersistentMap.indexOf(otherPairs, key);
          if (index >= 0) {
            matched[index] = true;
          }
          V otherValue = index < 0 ? null : (V) otherPairs[index + 1];
          if (otherValue != value) {
            difference.accept(key, value, otherValue);
          }
        };
    PersistentMap.visitChild(child, visitor);
    for (int i = 0; i < otherPairs.length; i += 2) {
      if (!matched[i]) {
        difference.accept((K) otherPairs[i], null, (V) otherPairs[i + 1]);
      }
    }
  }
}
