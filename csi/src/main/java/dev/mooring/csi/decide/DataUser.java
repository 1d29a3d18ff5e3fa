package dev.mooring.csi.decide;

import dev.mooring.live.Question;
import dev.mooring.model.Resource;
import java.util.function.Predicate;

/**
 * An object that may use the data that a content is to be deleted with.
 *
 * @param question reads the object
 * @param name the object's kind and name
 * @param uses whether the object, as the API server has it, uses the data
 */
public record DataUser<T extends Resource>(
    Question.One<T> question, String name, Predicate<T> uses) {}
