package dev.mooring.apiserver.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SelectedObjectsTest {
  private static final int MORE_THAN_STORES_KEEP = 20_000;

  private final Store store =
      new Store("things", new AtomicLong(), (type, key, version, tree) -> {});
  private final List<String> tested = new ArrayList<>();
  private final SelectedObjects selected =
      new SelectedObjects(
          store,
          tree -> {
            tested.add(SimulatedObjects.getName(tree));
            return JsonBodies.flagAt(tree, "selected");
          });

  private void write(String name, boolean isSelected) {
    JsonObject tree = JsonBodies.newObject("metadata", JsonBodies.newObject("name", name));
    tree.addProperty("selected", isSelected);
    store.<RuntimeException>write(name, current -> tree);
  }

  private List<String> names() {
    return selected.list().stream().map(SimulatedObjects::getName).toList();
  }

  @Test
  void objects_thatMatch_areListedByKey() {
    write("b", true);
    write("a", true);
    write("c", false);
    assertThat(names()).containsExactly("a", "b");
  }

  @Test
  void changes_afterAList_areTheOnlyObjectsTested() {
    write("a", true);
    write("b", false);
    assertThat(names()).containsExactly("a");
    tested.clear();
    write("a", false);
    write("c", true);
    assertThat(names()).containsExactly("c");
    assertThat(tested).containsExactly("a", "c");
  }

  @Test
  void deletedObject_afterAList_isNotListed() {
    write("a", true);
    assertThat(names()).containsExactly("a");
    store.<RuntimeException>write("a", current -> null);
    assertThat(names()).isEmpty();
  }

  @Test
  void objects_afterMoreChangesThanTheStoreKeeps_areListedAgain() {
    write("a", true);
    assertThat(names()).containsExactly("a");
    for (int i = 0; i < MORE_THAN_STORES_KEEP; i++) {
      write("b", i % 2 == 0);
    }
    assertThat(names()).containsExactly("a");
  }
}
