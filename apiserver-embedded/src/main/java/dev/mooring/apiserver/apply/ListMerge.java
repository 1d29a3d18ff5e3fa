package dev.mooring.apiserver.apply;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges two lists. Elements of the configuration are in its order; elements of the live list alone
 * keep their position.
 */
final class ListMerge {
  @FunctionalInterface
  interface ElementMerge {
    JsonElement mergeElement(@Nullable JsonElement live, JsonElement config);
  }

  private final Map<String, JsonElement> left;
  private final Map<String, JsonElement> right;
  private final ElementMerge merge;
  private final List<String> liveElements;
  private final List<String> configElements;
  private final List<String> shared;
  private final Set<String> done = new HashSet<>();
  private final JsonArray out = new JsonArray();

  private ListMerge(
      Map<String, JsonElement> live, Map<String, JsonElement> config, ElementMerge merge) {
    this.left = live;
    this.right = config;
    this.merge = merge;
    this.liveElements = List.copyOf(left.keySet());
    this.configElements = List.copyOf(right.keySet());
    this.shared = new ArrayList<>(configElements.stream().filter(left::containsKey).toList());
  }

  static JsonArray merge(
      Map<String, JsonElement> live, Map<String, JsonElement> config, ElementMerge merge) {
    return new ListMerge(live, config, merge).mergeElements();
  }

  private JsonArray mergeElements() {
    int l = 0;
    int r = 0;
    while (l < liveElements.size() || r < configElements.size()) {
      if (l < liveElements.size()) {
        String element = liveElements.get(l);
        if (r < configElements.size() && element.equals(configElements.get(r))) {
          takeElement(element);
          l++;
          r++;
          continue;
        }
        if (r < configElements.size() && isLater(element)) {
          l++;
          continue;
        }
        if (!right.containsKey(element)) {
          out.add(left.get(element));
          l++;
          continue;
        }
        if (done.contains(element)) {
          l++;
        }
      }
      if (r < configElements.size()) {
        takeElement(configElements.get(r++));
      }
    }
    return out;
  }

  /**
   * Returns whether the element occurs in the configuration after another element of both lists.
   */
  private boolean isLater(String element) {
    return right.containsKey(element) && !shared.isEmpty() && !shared.getFirst().equals(element);
  }

  private void takeElement(String element) {
    out.add(merge.mergeElement(left.get(element), Objects.requireNonNull(right.get(element))));
    done.add(element);
    shared.remove(element);
  }
}
