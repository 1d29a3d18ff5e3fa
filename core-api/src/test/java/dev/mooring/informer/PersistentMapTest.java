package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {
  /** A key with a limited number of hash values. */
  private record Key(int id, int hashes) {
    @Override
    public int hashCode() {
      return id % hashes * 0x9E3779B9;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 64, 100_000})
  void updates_randomOperations_matchHashMap(int hashes) {
    Random random = new Random(hashes);
    Map<Key, Integer> model = new HashMap<>();
    PersistentMap<Key, Integer> map = PersistentMap.empty();
    PersistentMap<Key, Integer> old = map;
    Map<Key, Integer> oldModel = Map.of();
    for (int i = 0; i < 5_000; i++) {
      Key key = new Key(random.nextInt(300), hashes);
      if (random.nextInt(3) == 0) {
        model.remove(key);
        map = map.without(key);
      } else {
        model.put(key, i);
        map = map.with(key, i);
      }
      assertThat(map.size()).isEqualTo(model.size());
      assertThat(map.get(key)).isEqualTo(model.get(key));
      if (i % 500 == 0) {
        assertSame(map, model);
        assertSame(old, oldModel);
        old = map;
        oldModel = Map.copyOf(model);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 64, 100_000})
  void reportDifferences_randomMaps_reportsAll(int hashes) {
    Random random = new Random(hashes);
    PersistentMap<Key, Integer> map = PersistentMap.empty();
    for (int round = 0; round < 150; round++) {
      PersistentMap<Key, Integer> older = map;
      for (int i = random.nextInt(100); i > 0; i--) {
        Key key = new Key(random.nextInt(300), hashes);
        map = random.nextBoolean() ? map.without(key) : map.with(key, random.nextInt(4));
      }
      assertThat(applyDifferences(older, map)).isEqualTo(entries(map));
      assertThat(applyDifferences(map, older)).isEqualTo(entries(older));
    }
  }

  @Test
  void reportDifferences_sharedNodes_areSkipped() {
    AtomicInteger compared = new AtomicInteger();
    record Counted(int id, AtomicInteger compared) {
      @Override
      public boolean equals(Object other) {
        compared.incrementAndGet();
        return other instanceof Counted c && c.id == id;
      }

      @Override
      public int hashCode() {
        return id * 0x9E3779B9;
      }
    }
    PersistentMap<Counted, Integer> older = PersistentMap.empty();
    for (int i = 0; i < 100_000; i++) {
      older = older.with(new Counted(i, compared), i);
    }
    PersistentMap<Counted, Integer> newer = older.with(new Counted(500, compared), -1);
    compared.set(0);
    List<String> differences = new ArrayList<>();
    newer.reportDifferences(
        older, (key, was, is) -> differences.add(key.id() + ": " + was + ", " + is));
    assertThat(differences).containsExactly("500: 500, -1");
    assertThat(compared.get()).isLessThan(5 * 32); // slots of the nodes on the path to the key
  }

  /** Applies the reported differences to the older map. */
  private static Map<Key, Integer> applyDifferences(
      PersistentMap<Key, Integer> older, PersistentMap<Key, Integer> newer) {
    Map<Key, Integer> applyDifferences = entries(older);
    newer.reportDifferences(
        older,
        (key, before, after) -> {
          assertThat(before).isNotSameAs(after).isSameAs(older.get(key));
          assertThat(after).isSameAs(newer.get(key));
          if (after == null) {
            assertThat(applyDifferences.remove(key)).isNotNull();
          } else {
            assertThat(applyDifferences.put(key, after)).isSameAs(before);
          }
        });
    return applyDifferences;
  }

  private static Map<Key, Integer> entries(PersistentMap<Key, Integer> map) {
    Map<Key, Integer> entries = new HashMap<>();
    map.forEach(entries::put);
    return entries;
  }

  private static void assertSame(PersistentMap<Key, Integer> map, Map<Key, Integer> model) {
    Map<Key, Integer> visited = new HashMap<>();
    map.forEach((key, value) -> visited.put(key, value));
    assertThat(visited).isEqualTo(model);
    List<Integer> values = new ArrayList<>();
    map.iterator().forEachRemaining(values::add);
    assertThat(values).containsExactlyInAnyOrderElementsOf(model.values());
    model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
  }
}
