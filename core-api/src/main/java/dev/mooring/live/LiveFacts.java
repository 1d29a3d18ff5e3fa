package dev.mooring.live;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.HashMap;
import java.util.Map;

public final class LiveFacts {
  public static final LiveFacts NONE = new LiveFacts(Map.of());

  private final Map<Question<?>, Fact<?>> answers;

  private LiveFacts(Map<Question<?>, Fact<?>> answers) {
    this.answers = answers;
  }

  public <T> LiveFacts with(Question<T> question, Fact<T> answer) {
    Map<Question<?>, Fact<?>> newAnswers = new HashMap<>(answers);
    newAnswers.put(question, answer);
    return new LiveFacts(Map.copyOf(newAnswers));
  }

  @SuppressWarnings(
      "unchecked") // with() stores every answer under a question with the same type parameter
  public <T> Fact<T> of(Question<T> question) {
    return (Fact<T>) answers.getOrDefault(question, new Fact.NotAsked<T>());
  }

  public <T extends Resource> Fact<T> of(Kind<T> kind, ObjectKey key) {
    return of(new Question.ObjectRead<>(kind, key));
  }

  public boolean isAnswered(Question<?> question) {
    return answers.containsKey(question);
  }

  @Override
  public String toString() {
    return answers.toString();
  }
}
