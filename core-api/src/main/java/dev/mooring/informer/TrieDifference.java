package dev.mooring.informer;

import dev.mooring.informer.PersistentMap.Collision;
import dev.mooring.informer.PersistentMap.Node;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** In what two tries differ: branches that both have are passed over. */
final class TrieDifference {
  private TrieDifference() {}

  /** Each side is a node, a collision (a single pair counts as one) or null. */
  static <K, V> void compare(
      @Nullable Object before, @Nullable Object after, PersistentMap.Difference<K, V> difference) {
    if (before == after) {
      return;
    }
    if (before instanceof Node old && after instanceof Node now) {
      for (int rest = old.data() | old.nodes() | now.data() | now.nodes();
          rest != 0;
          rest &= rest - 1) {
        int bit = Integer.lowestOneBit(rest);
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

  /** One side is anything, the other only few pairs. */
  @SuppressWarnings("unchecked") // only K and V are ever put in
  private static <K, V> void comparePairs(
      @Nullable Object side, Object[] few, PersistentMap.Difference<K, V> difference) {
    boolean[] met = new boolean[few.length];
    BiConsumer<K, V> visitor =
        (key, value) -> {
          int at = PersistentMap.find(few, key);
          if (at >= 0) {
            met[at] = true;
          }
          V other = at < 0 ? null : (V) few[at + 1];
          if (other != value) {
            difference.at(key, value, other);
          }
        };
    PersistentMap.visitBelow(side, visitor);
    for (int i = 0; i < few.length; i += 2) {
      if (!met[i]) {
        difference.at((K) few[i], null, (V) few[i + 1]);
      }
    }
  }
}
