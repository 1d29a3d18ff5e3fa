package dev.mooring.informer;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Immutable hash map whose updates share almost all memory with the original. A compressed trie
 * over 5 bits of the hash per level (Bagwell; nodes as in Steindorfer and Vinju's CHAMP): a node
 * stores entries, then subnodes, in one array. The iteration order depends on hashes only, except
 * among colliding keys.
 *
 * @param <K> type of the keys, with equals and hashCode
 * @param <V> type of the values, never null
 */
public final class PersistentMap<K, V> implements Iterable<V> {
  private static final Object[] NOTHING = {};
  private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(new Node(0, 0, NOTHING), 0);

  /**
   * Trie node.
   *
   * @param data bits of the entries, stored as key and value pairs from the front
   * @param nodes bits of the subnodes, stored from the back
   * @param slots entries and subnodes
   */
  record Node(int data, int nodes, Object[] slots) {}

  record Collision(Object[] pairs) {}

  private final Node root;
  private final int size;

  private PersistentMap(Node root, int size) {
    this.root = root;
    this.size = size;
  }

  @SuppressWarnings("unchecked") // the map is empty
  public static <K, V> PersistentMap<K, V> empty() {
    return (PersistentMap<K, V>) EMPTY;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  private static int hash(Object key) {
    int h = key.hashCode();
    return h ^ (h >>> 15) ^ (h << 7);
  }

  @SuppressWarnings("unchecked") // values are always of type V
  public @Nullable V get(K key) {
    int hash = hash(key);
    Node node = root;
    for (int shift = 0; ; shift += 5) {
      int bit = 1 << ((hash >>> shift) & 31);
      if ((node.data & bit) != 0) {
        int at = 2 * Integer.bitCount(node.data & (bit - 1));
        return node.slots[at].equals(key) ? (V) node.slots[at + 1] : null;
      }
      if ((node.nodes & bit) == 0) {
        return null;
      }
      Object below = node.slots[nodeAt(node, bit)];
      if (below instanceof Collision collision) {
        int at = find(collision.pairs, key);
        return at < 0 ? null : (V) collision.pairs[at + 1];
      }
      node = (Node) below;
    }
  }

  static int nodeAt(Node node, int bit) {
    return node.slots.length - 1 - Integer.bitCount(node.nodes & (bit - 1));
  }

  static int find(Object[] pairs, Object key) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(key)) {
        return i;
      }
    }
    return -1;
  }

  public PersistentMap<K, V> with(K key, V value) {
    boolean[] grew = new boolean[1];
    Node changed = put(root, hash(key), 0, key, value, grew);
    return changed == root ? this : new PersistentMap<>(changed, grew[0] ? size + 1 : size);
  }

  private static Node put(
      Node node, int hash, int shift, Object key, Object value, boolean[] grew) {
    int bit = 1 << ((hash >>> shift) & 31);
    if ((node.data & bit) != 0) {
      int at = 2 * Integer.bitCount(node.data & (bit - 1));
      Object present = node.slots[at];
      if (present.equals(key)) {
        if (node.slots[at + 1] == value) {
          return node;
        }
        Object[] slots = node.slots.clone();
        slots[at] = key;
        slots[at + 1] = value;
        return new Node(node.data, node.nodes, slots);
      }
      grew[0] = true;
      Object below = pair(present, node.slots[at + 1], hash(present), key, value, hash, shift + 5);
      return pushDown(node, bit, at, below);
    }
    if ((node.nodes & bit) != 0) {
      int at = nodeAt(node, bit);
      Object below = node.slots[at];
      Object changed =
          below instanceof Collision c
              ? putColliding(c, key, value, grew)
              : put((Node) below, hash, shift + 5, key, value, grew);
      return changed == below ? node : replaced(node, at, changed);
    }
    grew[0] = true;
    return inserted(node, bit, key, value);
  }

  private static Node inserted(Node node, int bit, Object key, Object value) {
    int at = 2 * Integer.bitCount(node.data & (bit - 1));
    Object[] slots = new Object[node.slots.length + 2];
    System.arraycopy(node.slots, 0, slots, 0, at);
    slots[at] = key;
    slots[at + 1] = value;
    System.arraycopy(node.slots, at, slots, at + 2, node.slots.length - at);
    return new Node(node.data | bit, node.nodes, slots);
  }

  private static Node pushDown(Node node, int bit, int at, Object below) {
    int nodes = node.nodes | bit;
    Object[] slots = new Object[node.slots.length - 1];
    int target = slots.length - 1 - Integer.bitCount(nodes & (bit - 1));
    System.arraycopy(node.slots, 0, slots, 0, at);
    System.arraycopy(node.slots, at + 2, slots, at, target - at);
    slots[target] = below;
    System.arraycopy(node.slots, target + 2, slots, target + 1, slots.length - target - 1);
    return new Node(node.data ^ bit, nodes, slots);
  }

  private static Object pair(
      Object key1, Object value1, int hash1, Object key2, Object value2, int hash2, int shift) {
    if (shift > 30) {
      return new Collision(new Object[] {key1, value1, key2, value2});
    }
    int bit1 = 1 << ((hash1 >>> shift) & 31);
    int bit2 = 1 << ((hash2 >>> shift) & 31);
    if (bit1 == bit2) {
      return new Node(
          0, bit1, new Object[] {pair(key1, value1, hash1, key2, value2, hash2, shift + 5)});
    }
    boolean firstFirst = Integer.compareUnsigned(bit1, bit2) < 0;
    Object[] slots =
        firstFirst
            ? new Object[] {key1, value1, key2, value2}
            : new Object[] {key2, value2, key1, value1};
    return new Node(bit1 | bit2, 0, slots);
  }

  private static Collision putColliding(
      Collision collision, Object key, Object value, boolean[] grew) {
    int at = find(collision.pairs, key);
    if (at >= 0 && collision.pairs[at + 1] == value) {
      return collision;
    }
    Object[] pairs =
        at >= 0
            ? collision.pairs.clone()
            : Arrays.copyOf(collision.pairs, collision.pairs.length + 2);
    if (at < 0) {
      grew[0] = true;
      at = collision.pairs.length;
    }
    pairs[at] = key;
    pairs[at + 1] = value;
    return new Collision(pairs);
  }

  public PersistentMap<K, V> without(K key) {
    if (get(key) == null) {
      return this;
    }
    return size == 1 ? empty() : new PersistentMap<>(remove(root, hash(key), 0, key), size - 1);
  }

  private static Node remove(Node node, int hash, int shift, Object key) {
    int bit = 1 << ((hash >>> shift) & 31);
    if ((node.data & bit) != 0) {
      int at = 2 * Integer.bitCount(node.data & (bit - 1));
      Object[] slots = new Object[node.slots.length - 2];
      System.arraycopy(node.slots, 0, slots, 0, at);
      System.arraycopy(node.slots, at + 2, slots, at, slots.length - at);
      return new Node(node.data ^ bit, node.nodes, slots);
    }
    int at = nodeAt(node, bit);
    Object below = node.slots[at];
    Object[] lastPair; // the last pair of the subnode moves up into this node
    Object changed;
    if (below instanceof Collision collision) {
      int removed = find(collision.pairs, key);
      Object[] pairs = new Object[collision.pairs.length - 2];
      System.arraycopy(collision.pairs, 0, pairs, 0, removed);
      System.arraycopy(collision.pairs, removed + 2, pairs, removed, pairs.length - removed);
      lastPair = pairs.length == 2 ? pairs : NOTHING;
      changed = new Collision(pairs);
    } else {
      Node smaller = remove((Node) below, hash, shift + 5, key);
      lastPair = smaller.nodes == 0 && smaller.slots.length == 2 ? smaller.slots : NOTHING;
      changed = smaller;
    }
    return lastPair.length == 2 ? pullUp(node, bit, at, lastPair) : replaced(node, at, changed);
  }

  private static Node replaced(Node node, int at, Object below) {
    Object[] slots = node.slots.clone();
    slots[at] = below;
    return new Node(node.data, node.nodes, slots);
  }

  private static Node pullUp(Node node, int bit, int from, Object[] pair) {
    int to = 2 * Integer.bitCount(node.data & (bit - 1));
    Object[] slots = new Object[node.slots.length + 1];
    System.arraycopy(node.slots, 0, slots, 0, to);
    slots[to] = pair[0];
    slots[to + 1] = pair[1];
    System.arraycopy(node.slots, to, slots, to + 2, from - to);
    System.arraycopy(node.slots, from + 1, slots, from + 2, node.slots.length - from - 1);
    return new Node(node.data | bit, node.nodes ^ bit, slots);
  }

  public void forEach(BiConsumer<? super K, ? super V> visitor) {
    visit(root, visitor);
  }

  @SuppressWarnings("unchecked") // keys and values are always of types K and V
  private static <K, V> void visit(Node node, BiConsumer<? super K, ? super V> visitor) {
    int pairs = 2 * Integer.bitCount(node.data);
    for (int i = 0; i < pairs; i += 2) {
      visitor.accept((K) node.slots[i], (V) node.slots[i + 1]);
    }
    for (int i = pairs; i < node.slots.length; i++) {
      visitBelow(node.slots[i], visitor);
    }
  }

  @SuppressWarnings("unchecked") // keys and values are always of types K and V
  static <K, V> void visitBelow(@Nullable Object side, BiConsumer<? super K, ? super V> visitor) {
    if (side instanceof Node node) {
      visit(node, visitor);
    } else {
      Object[] pairs = side instanceof Collision collision ? collision.pairs : NOTHING;
      for (int i = 0; i < pairs.length; i += 2) {
        visitor.accept((K) pairs[i], (V) pairs[i + 1]);
      }
    }
  }

  @FunctionalInterface
  public interface Difference<K, V> {
    /**
     * Receives one difference; called once per key.
     *
     * @param before value in the older map; null if absent. At most one of the values is null
     * @param after value in the newer map; null if absent
     */
    void at(K key, @Nullable V before, @Nullable V after);
  }

  /**
   * Reports every key whose value is a different object than in an older map. Skips shared nodes:
   * if one map was derived from the other, the cost depends on the difference only.
   */
  public void reportDifferences(
      PersistentMap<K, V> older, Difference<? super K, ? super V> difference) {
    TrieDifference.compare(older.root, root, difference);
  }

  @Override
  public Iterator<V> iterator() {
    return new Values<>(root);
  }

  private static final class Values<V> implements Iterator<V> {
    private final Object[][] arrays = new Object[8][];
    private final int[] ends = new int[8]; // end of the pairs in each array
    private final int[] at = new int[8];
    private int depth;

    Values(Node root) {
      push(root);
      settle();
    }

    private void push(Object node) {
      Object[] slots = node instanceof Node n ? n.slots : ((Collision) node).pairs;
      arrays[depth] = slots;
      ends[depth] = node instanceof Node n ? 2 * Integer.bitCount(n.data) : slots.length;
      at[depth++] = 0;
    }

    private void settle() {
      while (depth > 0) {
        int top = depth - 1;
        if (at[top] < ends[top]) {
          return;
        }
        if (at[top] < arrays[top].length) {
          push(arrays[top][at[top]++]);
        } else {
          depth--;
        }
      }
    }

    @Override
    public boolean hasNext() {
      return depth > 0;
    }

    @Override
    @SuppressWarnings("unchecked") // values are always of type V
    public V next() {
      if (depth == 0) {
        throw new NoSuchElementException();
      }
      int top = depth - 1;
      V value = (V) arrays[top][at[top] + 1];
      at[top] += 2;
      settle();
      return value;
    }
  }
}
