export const fibonacci = count => (count < 2 ? count : fibonacci(count - 1) + fibonacci(count - 2))
