package dev.mooring.manager.shadow.pairing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.shadow.pairing.EvidenceTable.EndedReconcile;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EvidenceTableTest {
  private static final long SEED = 7;

  @Test
  void table_randomChanges_equalsMap() {
    EvidenceTable table = new EvidenceTable();
    Map<String, Map<String, EndedReconcile>> expected = new HashMap<>();
    Random random = new Random(SEED);
    for (int i = 0; i < 60_000; i++) {
      String key = "default/c-" + random.nextInt(10_000);
      if (random.nextInt(4) == 0) {
        table.remove(key);
        expected.remove(key);
      } else {
        ActionOrigin origin =
            new ActionOrigin(
                "controller-" + random.nextInt(3), key, "Decision" + random.nextInt(5), "");
        table.put(origin, i);
        expected
            .computeIfAbsent(key, k -> new HashMap<>())
            .put(origin.controller(), new EndedReconcile(origin, i));
      }
    }
    for (int i = 0; i < 10_000; i++) {
      String key = "default/c-" + i;
      assertThat(Set.copyOf(table.find(key)))
          .isEqualTo(new HashSet<>(expected.getOrDefault(key, Map.of()).values()));
    }
  }
}
