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

  private final Map<String, JsonElement> liveValues;
  private final Map<String, JsonElement> configValues;
  private final ElementMerge merge;
  private final List<String> liveElements;
  private final List<String> configElements;
  private final List<String> sharedElements;
  private final Set<String> mergedElements = new HashSet<>();
  private final JsonArray result = new JsonArray();

  private ListMerge(
      Map<String, JsonElement> live, Map<String, JsonElement> config, ElementMerge merge) {
    this.liveValues = live;
    this.configValues = config;
    this.merge = merge;
    this.liveElements = List.copyOf(liveValues.keySet());
    this.configElements = List.copyOf(configValues.keySet());
    this.sharedElements =
        new ArrayList<>(configElements.stream().filter(liveValues::containsKey).toList());
  }

  static JsonArray merge(
      Map<String, JsonElement> live, Map<String, JsonElement> config, ElementMerge merge) {
    return new ListMerge(live, config, merge).mergeElements();
  }

  private JsonArray mergeElements() {
    int liveIndex = 0;
    int configIndex = 0;
    while (liveIndex < liveElements.size() || configIndex < configElements.size()) {
      if (liveIndex < liveElements.size()) {
        String element = liveElements.get(liveIndex);
        if (configIndex < configElements.size()
            && element.equals(configElements.get(configIndex))) {
          addMergedElement(element);
          liveIndex++;
          configIndex++;
          continue;
        }
        if (configIndex < configElements.size() && isLaterInConfig(element)) {
          liveIndex++;
          continue;
        }
        if (!configValues.containsKey(element)) {
          result.add(liveValues.get(element));
          liveIndex++;
          continue;
        }
        if (mergedElements.contains(element)) {
          liveIndex++;
        }
      }
      if (configIndex < configElements.size()) {
        addMergedElement(configElements.get(configIndex++));
      }
    }
    return result;
  }

  /**
   * Returns whether the element occurs in the configuration after another element of both lists.
   */
  private boolean isLaterInConfig(String element) {
    return configValues.containsKey(element)
        && !sharedElements.isEmpty()
        && !sharedElements.getFirst().equals(element);
  }

  private void addMergedElement(String element) {
    result.add(
        merge.mergeElement(
            liveValues.get(element), Objects.requireNonNull(configValues.get(element))));
    mergedElements.add(element);
    sharedElements.remove(element);
  }
}
