package dev.mooring.apiserver.simulate;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoreEvent;
import dev.mooring.apiserver.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a store that fulfil a condition. Tests only objects that were written since the
 * last call: a pass after each write would otherwise test all objects again. Not thread-safe.
 */
final class SelectedObjects {
  private final Store store;
  private final Predicate<JsonObject> condition;
  private final TreeMap<String, JsonObject> selected = new TreeMap<>(); // by key
  private Store.@Nullable EventCursor cursor;

  SelectedObjects(Store store, Predicate<JsonObject> condition) {
    this.store = store;
    this.condition = condition;
  }

  List<JsonObject> list() {
    List<StoreEvent> events = cursor == null ? null : cursor.takePresent(Integer.MAX_VALUE);
    if (events == null) {
      listAll();
    } else {
      for (StoreEvent event : events) {
        if (event.after() != null) {
          update(event.after());
        } else if (event.before() != null) {
          selected.remove(event.before().key());
        }
      }
    }
    return List.copyOf(selected.values());
  }

  private void listAll() {
    List<Store.EventCursor> cursors = new ArrayList<>();
    selected.clear();
    store.listAndOpenCursor("", cursors).objects().forEach(this::update);
    cursor = cursors.getFirst();
  }

  private void update(StoredObject object) {
    if (condition.test(object.tree())) {
      selected.put(object.key(), object.tree());
    } else {
      selected.remove(object.key());
    }
  }
}
