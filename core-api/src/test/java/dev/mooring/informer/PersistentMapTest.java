package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {
  /** A key whose hash has only so many values. */
  private record Key(int id, int hashes) {
    @Override
    public int hashCode() {
      return id % hashes * 0x9E3779B9;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 64, 100_000})
  void behavesAsAMapAndLeavesOldVersionsAlone(int hashes) {
    Random random = new Random(hashes);
    Map<Key, Integer> model = new HashMap<>();
    PersistentMap<Key, Integer> map = PersistentMap.empty();
    PersistentMap<Key, Integer> old = map;
    Map<Key, Integer> oldModel = Map.of();
    for (int i = 0; i < 20_000; i++) {
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
      if (i % 2000 == 0) {
        same(map, model);
        same(old, oldModel);
        old = map;
        oldModel = Map.copyOf(model);
      }
    }
  }

  private static void same(PersistentMap<Key, Integer> map, Map<Key, Integer> model) {
    Map<Key, Integer> visited = new HashMap<>();
    map.forEach((key, value) -> visited.put(key, value));
    assertThat(visited).isEqualTo(model);
    List<Integer> values = new ArrayList<>();
    map.iterator().forEachRemaining(values::add);
    assertThat(values).containsExactlyInAnyOrderElementsOf(model.values());
    model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
  }
}
