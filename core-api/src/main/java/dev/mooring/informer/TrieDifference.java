package dev.mooring.informer;

import dev.mooring.informer.PersistentMap.Collision;
import dev.mooring.informer.PersistentMap.Node;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

final class TrieDifference {
  private TrieDifference() {}

  /** Compares two sides, each a node, a collision (also used for a single pair) or null. */
  static <K, V> void compare(
      @Nullable Object before, @Nullable Object after, PersistentMap.Difference<K, V> difference) {
    if (before == after) {
      return;
    }
    if (before instanceof Node old && after instanceof Node now) {
      for (int bits = old.data() | old.nodes() | now.data() | now.nodes();
          bits != 0;
          bits &= bits - 1) {
        int bit = Integer.lowestOneBit(bits);
        compare(below(old, bit), below(now, bit), difference);
      }
    } else if (after instanceof Node) {
      TrieDifference.<K, V>comparePairs(
          after, pairs(before), (key, now, old) -> difference.at(key, old, now));
    } else {
      comparePairs(before, pairs(after), difference);
    }
  }

  private static @Nullable Object below(Node node, int bit) {
    if ((node.nodes() & bit) != 0) {
      return node.slots()[PersistentMap.nodeAt(node, bit)];
    }
    if ((node.data() & bit) == 0) {
      return null;
    }
    int at = 2 * Integer.bitCount(node.data() & (bit - 1));
    return new Collision(new Object[] {node.slots()[at], node.slots()[at + 1]});
  }

  private static Object[] pairs(@Nullable Object side) {
    return side instanceof Collision collision ? collision.pairs() : new Object[0];
  }

  @SuppressWarnings("unchecked") // keys and values are always of types K and V
  private static <K, V> void comparePairs(
      @Nullable Object side, Object[] few, PersistentMap.Difference<K, V> difference) {
    boolean[] matched = new boolean[few.length];
    BiConsumer<K, V> visitor =
        (key, value) -> {
          int at = PersistentMap.find(few, key);
          if (at >= 0) {
            matched[at] = true;
          }
          V other = at < 0 ? null : (V) few[at + 1];
          if (other != value) {
            difference.at(key, value, other);
          }
        };
    PersistentMap.visitBelow(side, visitor);
    for (int i = 0; i < few.length; i += 2) {
      if (!matched[i]) {
        difference.at((K) few[i], null, (V) few[i + 1]);
      }
    }
  }
}
