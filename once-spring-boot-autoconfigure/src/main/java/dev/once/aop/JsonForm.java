package dev.once.aop;

import java.io.Writer;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.ResolvableType;

/**
 * An answer that Jackson writes. The mapper is Once's own: a setting of the application's
 * must not make recorded answers unreadable.
 */
final class JsonForm implements AnswerForm {

	private static final JsonMapper mapper = JsonMapper.builder()
		.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
		.enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
		.disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
		.build();

	private final ObjectWriter writer;

	private final ObjectReader reader;

	/** The least that a value of the type is read from. */
	private final String least;

	JsonForm(ResolvableType type) {
		JavaType javaType = javaType(type);
		this.least = javaType.isMapLikeType() ? "{\"1\":{}}" : javaType.isContainerType() ? "[{}]" : "{}";
		this.writer = mapper.writerFor(javaType);
		this.reader = mapper.readerFor(javaType);
	}

	private static JavaType javaType(ResolvableType type) {
		if (type.isArray()) {
			return mapper.getTypeFactory().constructArrayType(javaType(type.getComponentType()));
		}
		Class<?> raw = type.resolve(Object.class);
		ResolvableType[] generics = type.getGenerics();
		if (generics.length == 0) {
			return mapper.constructType(raw);
		}
		JavaType[] parameters = new JavaType[generics.length];
		for (int i = 0; i < generics.length; i++) {
			parameters[i] = javaType(generics[i]);
		}
		return mapper.getTypeFactory().constructParametricType(raw, parameters);
	}

	/**
	 * Whether Jackson knows how to make a value of the type at all.
	 */
	boolean canRead() {
		try {
			this.reader.readValue(this.least);
			return true;
		}
		catch (InvalidDefinitionException ex) {
			return false;
		}
		catch (JacksonException ex) {
			// It does, and wants more than nothing
			return true;
		}
	}

	@Override
	public String tag() {
		return "json";
	}

	@Override
	public String write(Object value, int maxChars) {
		BoundedText text = new BoundedText(maxChars);
		this.writer.writeValue(text, value);
		return text.toString();
	}

	@Override
	public Object read(String text) {
		return this.reader.readValue(text);
	}

	/**
	 * Ends the writing where nothing more is kept.
	 */
	private static final class BoundedText extends Writer {

		private final StringBuilder text = new StringBuilder();

		private final int maxChars;

		private BoundedText(int maxChars) {
			this.maxChars = maxChars;
		}

		@Override
		public void write(char[] units, int from, int length) {
			if (this.text.length() + length > this.maxChars) {
				throw new TooLongException();
			}
			this.text.append(units, from, length);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

		@Override
		public String toString() {
			return this.text.toString();
		}

	}

}
