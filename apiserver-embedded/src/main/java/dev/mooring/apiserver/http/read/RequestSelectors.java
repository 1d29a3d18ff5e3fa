package dev.mooring.apiserver.http.read;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.request.QueryParameters;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

final class RequestSelectors {
  private static final String KEY = "([A-Za-z0-9][-A-Za-z0-9_./]*)";
  private static final Pattern SET =
      Pattern.compile("\\s*" + KEY + "\\s+(in|notin)\\s*\\(([^()]*)\\)\\s*");
  private static final Pattern EQUAL =
      Pattern.compile("\\s*" + KEY + "\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)\\s*");
  private static final Pattern COMPARE =
      Pattern.compile("\\s*" + KEY + "\\s*([<>])\\s*(-?\\d+)\\s*");
  private static final Pattern EXISTS = Pattern.compile("\\s*(!?)\\s*" + KEY + "\\s*");

  private RequestSelectors() {}

  static Predicate<JsonObject> of(ResourceType type, QueryParameters query) throws StatusException {
    Predicate<JsonObject> conjunction = parseLabelSelector(query.text("labelSelector"));
    for (String term : query.fieldTerms()) {
      if (!term.isEmpty()) {
        conjunction = conjunction.and(parseFieldTerm(type, term));
      }
    }
    return conjunction;
  }

  private static Predicate<JsonObject> parseLabelSelector(String selector) throws StatusException {
    Predicate<JsonObject> conjunction = o -> true;
    if (selector.isBlank()) {
      return conjunction;
    }
    for (String term : splitTerms(selector)) {
      conjunction = conjunction.and(parseLabelTerm(term, selector));
    }
    return conjunction;
  }

  // Kinds that define their own selectable fields.
  private static final Set<ResourceType> OWN_FIELDS =
      Set.of(
          KindCatalogue.EVENTS,
          KindCatalogue.NEW_EVENTS,
          KindCatalogue.NAMESPACES,
          KindCatalogue.NODES,
          KindCatalogue.PODS,
          KindCatalogue.SECRETS);

  private static List<String> splitTerms(String selector) {
    List<String> terms = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < selector.length(); i++) {
      char c = selector.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        terms.add(selector.substring(from, i));
        from = i + 1;
      }
    }
    terms.add(selector.substring(from));
    return terms;
  }

  private static Predicate<JsonObject> parseLabelTerm(String term, String selector)
      throws StatusException {
    Matcher m = SET.matcher(term);
    if (m.matches()) {
      String key = m.group(1);
      Set<String> values = new HashSet<>(Arrays.asList(m.group(3).strip().split("\\s*,\\s*", -1)));
      validateLabel(key, values);
      boolean in = m.group(2).equals("in");
      return o -> {
        String value = labelValue(o, key);
        return in
            ? value != null && values.contains(value)
            : value == null || !values.contains(value);
      };
    }
    m = EQUAL.matcher(term);
    if (m.matches()) {
      String key = m.group(1);
      String expected = m.group(3);
      validateLabel(key, List.of(expected));
      boolean not = m.group(2).equals("!=");
      return o -> expected.equals(labelValue(o, key)) != not;
    }
    m = COMPARE.matcher(term);
    if (m.matches()) {
      return compare(m.group(1), m.group(2).equals(">"), Long.parseLong(m.group(3)));
    }
    m = EXISTS.matcher(term);
    if (m.matches()) {
      String key = m.group(2);
      boolean not = !m.group(1).isEmpty();
      return o -> (labelValue(o, key) == null) == not;
    }
    throw StatusException.badRequest(
        "unable to parse requirement: found '%s', in the selector '%s'"
            .formatted(term.strip(), selector));
  }

  private static void validateLabel(String key, Collection<String> values) throws StatusException {
    FieldErrors errors = new FieldErrors();
    ObjectNames.validateLabel(key, values, errors);
    if (!errors.isEmpty()) {
      StatusException.StatusCause first = errors.all().getFirst();
      throw StatusException.badRequest(
          "unable to parse requirement: " + first.field() + ": " + first.message());
    }
  }

  private static Predicate<JsonObject> compare(String key, boolean greater, long than) {
    return o -> {
      try {
        String value = labelValue(o, key);
        return value != null
            && (greater ? Long.parseLong(value) > than : Long.parseLong(value) < than);
      } catch (NumberFormatException notANumber) {
        return false;
      }
    };
  }

  private static @Nullable String labelValue(JsonObject object, String key) {
    JsonElement value = at(object, "metadata", "labels", key);
    return value == null ? null : value.getAsString();
  }

  private static Predicate<JsonObject> parseFieldTerm(ResourceType type, String term)
      throws StatusException {
    int not = term.indexOf("!=");
    int equals = not >= 0 ? not + 1 : term.indexOf('=');
    if (equals < 0) {
      throw StatusException.badRequest(
          "invalid field selector: \"%s\": invalid selector: '%s'; can't understand '%s'"
              .formatted(term, term, term));
    }
    String name = term.substring(0, not >= 0 ? not : equals);
    int from = term.startsWith("==", equals) ? equals + 2 : equals + 1;
    String value =
        term.substring(from).replace("\\,", ",").replace("\\=", "=").replace("\\\\", "\\");
    if (name.isEmpty() && value.isEmpty()) {
      return o -> true;
    }
    boolean negative = not >= 0;
    // other cluster-scoped kinds accept metadata.namespace and match no object
    boolean isPlaced = type.namespaced() || !OWN_FIELDS.contains(type);
    if (!name.equals("metadata.name")
        && !(isPlaced && name.equals("metadata.namespace"))
        && type.rules().findSelectable(new JsonObject(), name) == null) {
      if (type.isCustom() || OWN_FIELDS.contains(type)) {
        throw StatusException.badRequest("field label not supported: " + name);
      }
      throw StatusException.badRequest(
          "\""
              + name
              + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
    }
    return o -> value.equals(fieldValue(type, o, name)) != negative;
  }

  private static @Nullable String fieldValue(ResourceType type, JsonObject object, String name) {
    return switch (name) {
      case "metadata.name" -> text(object, "metadata", "name");
      case "metadata.namespace" -> text(object, "metadata", "namespace");
      default -> type.rules().findSelectable(object, name);
    };
  }
}
