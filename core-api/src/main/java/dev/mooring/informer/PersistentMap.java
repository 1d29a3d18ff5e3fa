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
  private static final Object[] NO_SLOTS = {};
  private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(new Node(0, 0, NO_SLOTS), 0);

  /**
   * Trie node.
   *
   * @param entryBits bits of the entries, stored as key and value pairs from the front
   * @param nodeBits bits of the subnodes, stored from the back
   * @param slots entries and subnodes
   */
  record Node(int entryBits, int nodeBits, Object[] slots) {}

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
      if ((node.entryBits & bit) != 0) {
        int index = 2 * Integer.bitCount(node.entryBits & (bit - 1));
        return node.slots[index].equals(key) ? (V) node.slots[index + 1] : null;
      }
      if ((node.nodeBits & bit) == 0) {
        return null;
      }
      Object child = node.slots[nodeIndex(node, bit)];
      if (child instanceof Collision collision) {
        int index = indexOf(collision.pairs, key);
        return index < 0 ? null : (V) collision.pairs[index + 1];
      }
      node = (Node) child;
    }
  }

  static int nodeIndex(Node node, int bit) {
    return node.slots.length - 1 - Integer.bitCount(node.nodeBits & (bit - 1));
  }

  static int indexOf(Object[] pairs, Object key) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(key)) {
        return i;
      }
    }
    return -1;
  }

  public PersistentMap<K, V> with(K key, V value) {
    boolean[] hasGrown = new boolean[1];
    Node changed = putPair(root, hash(key), 0, key, value, hasGrown);
    return changed == root ? this : new PersistentMap<>(changed, hasGrown[0] ? size + 1 : size);
  }

  private static Node putPair(
      Node node, int hash, int shift, Object key, Object value, boolean[] hasGrown) {
    int bit = 1 << ((hash >>> shift) & 31);
    if ((node.entryBits & bit) != 0) {
      int index = 2 * Integer.bitCount(node.entryBits & (bit - 1));
      Object present = node.slots[index];
      if (present.equals(key)) {
        if (node.slots[index + 1] == value) {
          return node;
        }
        Object[] slots = node.slots.clone();
        slots[index] = key;
        slots[index + 1] = value;
        return new Node(node.entryBits, node.nodeBits, slots);
      }
      hasGrown[0] = true;
      Object child =
          mergePairs(present, node.slots[index + 1], hash(present), key, value, hash, shift + 5);
      return pushDown(node, bit, index, child);
    }
    if ((node.nodeBits & bit) != 0) {
      int index = nodeIndex(node, bit);
      Object child = node.slots[index];
      Object changed =
          child instanceof Collision c
              ? putColliding(c, key, value, hasGrown)
              : putPair((Node) child, hash, shift + 5, key, value, hasGrown);
      return changed == child ? node : replaceChild(node, index, changed);
    }
    hasGrown[0] = true;
    return insertPair(node, bit, key, value);
  }

  private static Node insertPair(Node node, int bit, Object key, Object value) {
    int index = 2 * Integer.bitCount(node.entryBits & (bit - 1));
    Object[] slots = new Object[node.slots.length + 2];
    System.arraycopy(node.slots, 0, slots, 0, index);
    slots[index] = key;
    slots[index + 1] = value;
    System.arraycopy(node.slots, index, slots, index + 2, node.slots.length - index);
    return new Node(node.entryBits | bit, node.nodeBits, slots);
  }

  private static Node pushDown(Node node, int bit, int index, Object child) {
    int nodeBits = node.nodeBits | bit;
    Object[] slots = new Object[node.slots.length - 1];
    int target = slots.length - 1 - Integer.bitCount(nodeBits & (bit - 1));
    System.arraycopy(node.slots, 0, slots, 0, index);
    System.arraycopy(node.slots, index + 2, slots, index, target - index);
    slots[target] = child;
    System.arraycopy(node.slots, target + 2, slots, target + 1, slots.length - target - 1);
    return new Node(node.entryBits ^ bit, nodeBits, slots);
  }

  private static Object mergePairs(
      Object key1, Object value1, int hash1, Object key2, Object value2, int hash2, int shift) {
    if (shift > 30) {
      return new Collision(new Object[] {key1, value1, key2, value2});
    }
    int bit1 = 1 << ((hash1 >>> shift) & 31);
    int bit2 = 1 << ((hash2 >>> shift) & 31);
    if (bit1 == bit2) {
      return new Node(
          0, bit1, new Object[] {mergePairs(key1, value1, hash1, key2, value2, hash2, shift + 5)});
    }
    boolean isFirstLower = Integer.compareUnsigned(bit1, bit2) < 0;
    Object[] slots =
        isFirstLower
            ? new Object[] {key1, value1, key2, value2}
            : new Object[] {key2, value2, key1, value1};
    return new Node(bit1 | bit2, 0, slots);
  }

  private static Collision putColliding(
      Collision collision, Object key, Object value, boolean[] hasGrown) {
    int index = indexOf(collision.pairs, key);
    if (index >= 0 && collision.pairs[index + 1] == value) {
      return collision;
    }
    Object[] pairs =
        index >= 0
            ? collision.pairs.clone()
            : Arrays.copyOf(collision.pairs, collision.pairs.length + 2);
    if (index < 0) {
      hasGrown[0] = true;
      index = collision.pairs.length;
    }
    pairs[index] = key;
    pairs[index + 1] = value;
    return new Collision(pairs);
  }

  public PersistentMap<K, V> without(K key) {
    if (get(key) == null) {
      return this;
    }
    return size == 1 ? empty() : new PersistentMap<>(removePair(root, hash(key), 0, key), size - 1);
  }

  private static Node removePair(Node node, int hash, int shift, Object key) {
    int bit = 1 << ((hash >>> shift) & 31);
    if ((node.entryBits & bit) != 0) {
      int index = 2 * Integer.bitCount(node.entryBits & (bit - 1));
      Object[] slots = new Object[node.slots.length - 2];
      System.arraycopy(node.slots, 0, slots, 0, index);
      System.arraycopy(node.slots, index + 2, slots, index, slots.length - index);
      return new Node(node.entryBits ^ bit, node.nodeBits, slots);
    }
    int index = nodeIndex(node, bit);
    Object child = node.slots[index];
    Object[] lastPair; // the last pair of the subnode moves up into this node
    Object changed;
    if (child instanceof Collision collision) {
      int pairIndex = indexOf(collision.pairs, key);
      Object[] pairs = new Object[collision.pairs.length - 2];
      System.arraycopy(collision.pairs, 0, pairs, 0, pairIndex);
      System.arraycopy(collision.pairs, pairIndex + 2, pairs, pairIndex, pairs.length - pairIndex);
      lastPair = pairs.length == 2 ? pairs : NO_SLOTS;
      changed = new Collision(pairs);
    } else {
      Node smaller = removePair((Node) child, hash, shift + 5, key);
      lastPair = smaller.nodeBits == 0 && smaller.slots.length == 2 ? smaller.slots : NO_SLOTS;
      changed = smaller;
    }
    return lastPair.length == 2
        ? pullUp(node, bit, index, lastPair)
        : replaceChild(node, index, changed);
  }

  private static Node replaceChild(Node node, int index, Object child) {
    Object[] slots = node.slots.clone();
    slots[index] = child;
    return new Node(node.entryBits, node.nodeBits, slots);
  }

  private static Node pullUp(Node node, int bit, int fromIndex, Object[] pair) {
    int toIndex = 2 * Integer.bitCount(node.entryBits & (bit - 1));
    Object[] slots = new Object[node.slots.length + 1];
    System.arraycopy(node.slots, 0, slots, 0, toIndex);
    slots[toIndex] = pair[0];
    slots[toIndex + 1] = pair[1];
    System.arraycopy(node.slots, toIndex, slots, toIndex + 2, fromIndex - toIndex);
    System.arraycopy(
        node.slots, fromIndex + 1, slots, fromIndex + 2, node.slots.length - fromIndex - 1);
    return new Node(node.entryBits | bit, node.nodeBits ^ bit, slots);
  }

  public void forEach(BiConsumer<? super K, ? super V> visitor) {
    visit(root, visitor);
  }

  @SuppressWarnings("unchecked") // keys and values are always of types K and V
  private static <K, V> void visit(Node node, BiConsumer<? super K, ? super V> visitor) {
    int pairs = 2 * Integer.bitCount(node.entryBits);
    for (int i = 0; i < pairs; i += 2) {
      visitor.accept((K) node.slots[i], (V) node.slots[i + 1]);
    }
    for (int i = pairs; i < node.slots.length; i++) {
      visitChild(node.slots[i], visitor);
    }
  }

  @SuppressWarnings("unchecked") // keys and values are always of types K and V
  static <K, V> void visitChild(@Nullable Object child, BiConsumer<? super K, ? super V> visitor) {
    if (child instanceof Node node) {
      visit(node, visitor);
    } else {
      Object[] pairs = child instanceof Collision collision ? collision.pairs : NO_SLOTS;
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
    void accept(K key, @Nullable V before, @Nullable V after);
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
    private final Object[][] slotStack = new Object[8][];
    private final int[] pairEnds = new int[8]; // end of the pairs in each array
    private final int[] positions = new int[8];
    private int depth;

    Values(Node root) {
      push(root);
      advanceToPair();
    }

    private void push(Object node) {
      Object[] slots = node instanceof Node n ? n.slots : ((Collision) node).pairs;
      slotStack[depth] = slots;
      pairEnds[depth] = node instanceof Node n ? 2 * Integer.bitCount(n.entryBits) : slots.length;
      positions[depth++] = 0;
    }

    private void advanceToPair() {
      while (depth > 0) {
        int top = depth - 1;
        if (positions[top] < pairEnds[top]) {
          return;
        }
        if (positions[top] < slotStack[top].length) {
          push(slotStack[top][positions[top]++]);
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
      V value = (V) slotStack[top][positions[top] + 1];
      positions[top] += 2;
      advanceToPair();
      return value;
    }
  }
}
