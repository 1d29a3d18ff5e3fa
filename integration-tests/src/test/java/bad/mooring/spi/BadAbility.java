package bad.mooring.spi;

/** R11: has two methods and no guard class, and a lambda implements only one of them. */
public interface BadAbility {
  String answer(String question);

  default String answerByDefault(String question) {
    return answer(question);
  }
}
